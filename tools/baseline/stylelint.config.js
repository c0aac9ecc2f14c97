export default {
  plugins: ["stylelint-plugin-use-baseline"],
  rules: {
    "plugin/use-baseline": [
      true,
      {
        available: "widely",
        // Widely available since 13 November 2026; the plugin's data is from September.
        ignoreFunctions: ["light-dark"],
        ignoreProperties: {
          // Harmless where unknown. Safari knows it with its prefix.
          "text-size-adjust": ["100%"],
          // Matters only where colours are forced, which no browser without it does.
          "forced-color-adjust": ["none"],
        },
      },
    ],
  },
};
