import html from "@html-eslint/eslint-plugin";
import js from "eslint-plugin-baseline-js";

export default [
  {
    files: ["**/*.html"],
    language: "html/html",
    plugins: { html, allowed: { processors: { allowed: { preprocess: withoutAllowed } } } },
    processor: "allowed/allowed",
    rules: { "html/use-baseline": ["error", { available: "widely" }] },
  },
  {
    files: ["**/*.js"],
    languageOptions: { sourceType: "script" },
    plugins: { js },
    rules: {
      "js/use-baseline": [
        "error",
        { available: "widely", includeWebApis: { preset: "auto" }, includeJsBuiltins: { preset: "auto" } },
      ],
    },
  },
];

// The colour of the browser's own frame: one that does not know it keeps its own.
function withoutAllowed(text) {
  return [text.replace(/<meta name="theme-color"/g, "<meta")];
}
