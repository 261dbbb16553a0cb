import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** Which folders of src/ each may use besides itself: arrows point down, as docs/map.md shows. The worker and the pages share types
    and nothing that has a document or a state. */
const uses = {
    lib: [],
    worker: ["lib/calls", "lib/initiates", "lib/protocol"],
    art: ["lib/characters", "lib/initiates"],
    ui: ["art", "lib"],
    rules: ["art", "lib"],
    games: ["art", "lib"],
    print: ["art", "lib", "rules"],
    table: ["art", "lib", "rules", "ui"],
    learn: ["art", "lib", "rules", "table"],
    online: ["art", "lib", "table", "ui"],
    pages: ["art", "games", "learn", "lib", "online", "print", "rules", "table", "ui"],
};

const layers = Object.entries(uses).map(([folder, others]) => ({
    files: [`src/${folder}/**`],
    ignores: ["src/worker/*.test.ts"], // they look at a table from both sides
    rules: {
        "no-restricted-imports": [
            "error",
            {
                patterns: [
                    {
                        regex: `^\\.\\./(?!(${["\\.\\.", ...others].join("|")})(/|$))`,
                        message: `src/${folder} may use ${others.join(", ") || "nothing of the client's"}.`,
                    },
                ],
            },
        ],
    },
}));

export default ts.config(
    { ignores: ["engine/"] },
    { linterOptions: { reportUnusedDisableDirectives: "error" } },
    js.configs.recommended,
    ts.configs.recommendedTypeChecked,
    svelte.configs.recommended,
    svelte.configs.prettier,
    {
        languageOptions: {
            globals: { ...globals.browser, ...globals.node },
            parserOptions: { projectService: true, extraFileExtensions: [".svelte"], tsconfigRootDir: import.meta.dirname },
        },
        rules: {
            eqeqeq: ["error", "always", { null: "ignore" }],
            "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
            // `Field | "-"` says more to a reader than `string` does.
            "@typescript-eslint/no-redundant-type-constituents": "off",
            // What an interface wants as a promise may have nothing to wait for.
            "@typescript-eslint/require-await": "off",
            // `{" "}` is a space that stays.
            "svelte/no-useless-mustaches": "off",
            // Most maps are books that nobody watches; those that somebody does are SvelteMaps.
            "svelte/prefer-svelte-reactivity": "off",
        },
    },
    { files: ["**/*.svelte", "**/*.svelte.ts"], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } } },
    layers,
    // What markup hands to a function, and what a component is, only svelte-check sees; here it would be `any`.
    {
        files: ["**/*.svelte"],
        rules: {
            ...Object.fromEntries(["argument", "assignment", "call", "member-access", "return"].map((use) => [`@typescript-eslint/no-unsafe-${use}`, "off"])),
            // What a run of a derived value assigns, the next run reads.
            "no-useless-assignment": "off",
        },
    },
    // Tests put other functions into the place of a browser's.
    { files: ["**/*.test.ts"], rules: { "@typescript-eslint/unbound-method": "off" } },
    // Tools have no types to look at.
    { files: ["**/*.js", "**/*.mjs"], extends: [ts.configs.disableTypeChecked] },
);
