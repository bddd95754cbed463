import { expect, test } from "bun:test";
import { gauge, info, Meter } from "./metrics.ts";

test("answers are counted by operation and status, with time, bytes and rows", () => {
  const meter = new Meter();
  meter.record("getDocument", 200, 0.2, 500, 3);
  meter.record("getDocument", 200, 30, 700, 4);
  meter.record("getDocument", 404, 60_000, 0);
  meter.inFlight = 3;
  const lines = meter.print().split("\n");
  expect(lines).toContain('orrery_requests_total{operation="getDocument",status="200"} 2');
  expect(lines).toContain('orrery_requests_total{operation="getDocument",status="404"} 1');
  expect(lines).toContain('orrery_response_bytes_total{operation="getDocument"} 1200');
  expect(lines).toContain('orrery_rows_read_total{operation="getDocument"} 7');
  expect(lines).toContain('orrery_request_seconds_bucket{operation="getDocument",le="0.0001"} 0');
  expect(lines).toContain('orrery_request_seconds_bucket{operation="getDocument",le="0.00025"} 1');
  expect(lines).toContain('orrery_request_seconds_bucket{operation="getDocument",le="0.05"} 2');
  expect(lines).toContain('orrery_request_seconds_bucket{operation="getDocument",le="10"} 2');
  expect(lines).toContain('orrery_request_seconds_bucket{operation="getDocument",le="+Inf"} 3');
  expect(lines).toContain('orrery_request_seconds_count{operation="getDocument"} 3');
  expect(lines.find((line) => line.startsWith("orrery_request_seconds_sum"))).toMatch(/ 60\.0302\d*$/);
  expect(lines).toContain("orrery_requests_in_flight 3");
});

test("each family has its help and type once, before its samples, and labels are escaped", () => {
  const meter = new Meter();
  meter.record("a", 200, 1, 1);
  meter.record("b", 200, 1, 1);
  const text = meter.print() + gauge("g", "A gauge.", 1.5) + info("i", "Labels.", { name: 'x"\\\ny' });
  expect(text).toContain("# HELP g A gauge.\n# TYPE g gauge\ng 1.5\n");
  expect(text).toContain('i{name="x\\"\\\\\\ny"} 1\n');
  expect(text.match(/^# TYPE orrery_request_seconds histogram$/gm)).toHaveLength(1);
  for (const line of text.trim().split("\n")) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="([^"\\]|\\.)*",?)*\})? -?[\d.e+-]+)$/);
  }
});
