import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["dist/**", "node_modules/**", ".venv/**", "web/vendor/**"] },
  js.configs.recommended,
  {
    files: ["web/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-var": "error",
      "prefer-const": "error",
      // Foreign text never becomes HTML: the page builds nodes.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML" },
        { property: "outerHTML" },
        { property: "insertAdjacentHTML" },
        { object: "document", property: "write" },
      ],
    },
  },
  { files: ["web/workers/**/*.js"], languageOptions: { globals: globals.worker } },
  { files: ["web/service-worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["tools/**/*.mjs"], languageOptions: { globals: globals.node } },
];
