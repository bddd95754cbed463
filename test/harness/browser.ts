// A real browser for tests of pages: Chromium from ORRERY_CHROMIUM, or from where Debian's package puts it.

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const CHROMIUM: string | null =
  (process.env.ORRERY_CHROMIUM || null) ?? PLACES.find((path) => existsSync(path)) ?? null;

/** In CI a missing browser is a failure; elsewhere it is said aloud and the tests of pages are left out. */
export const IS_BROWSER_REQUIRED = process.env.CI === "true";

export const NO_BROWSER =
  "No Chromium is installed: the tests of pages do not run. Install it (Debian: apt-get install chromium) or name one in ORRERY_CHROMIUM.";

export async function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error(NO_BROWSER);
  // Containers run tests as root, where Chromium's sandbox refuses to start; the pages are our own.
  return await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}
