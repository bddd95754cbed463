import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";

// A process that is asked to stop and takes its time: only a second signal ends it.
const PROGRAM = `
  import { firstSignal } from ${JSON.stringify(join(import.meta.dir, "signals.ts"))};
  setInterval(() => {}, 1000);
  const stop = firstSignal();
  console.log("ready");
  await stop;
  console.log("stopping");
`;

const children: Bun.Subprocess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

async function start() {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  children.push(child);
  const reader = child.stdout.getReader();
  const said = async () => new TextDecoder().decode((await reader.read()).value).trim();
  expect(await said()).toBe("ready");
  return { child, said };
}

test("the first signal asks, the second ends", async () => {
  const { child, said } = await start();
  child.kill("SIGTERM");
  expect(await said()).toBe("stopping");
  await Bun.sleep(700);
  expect(child.exitCode).toBeNull();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(143);
}, 10_000);

test("one Ctrl-C that arrives twice counts once", async () => {
  const { child, said } = await start();
  child.kill("SIGINT");
  expect(await said()).toBe("stopping");
  child.kill("SIGINT");
  await Bun.sleep(300);
  expect(child.exitCode).toBeNull();
}, 10_000);
