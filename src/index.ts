// The public entry: a node as a value, for programs that run one inside themselves.

// biome-ignore lint/performance/noBarrelFile: a package has one door, and this is it
export { createNode, type DevOptions, type HostPort, type Node, type NodeOptions, type ServeOptions } from "./node.ts";
