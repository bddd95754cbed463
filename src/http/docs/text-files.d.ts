// Files that are imported as their text: `import css from "./docs.css" with { type: "text" }`.

declare module "*.css" {
  const text: string;
  export default text;
}

declare module "*.script.js" {
  const text: string;
  export default text;
}
