import { availableParallelism } from "node:os";
import { defineConfig, mergeConfig } from "vitest/config";
import client from "./vite.config.ts";

// The tests, beside what they test: building the client needs no vitest.
const tests = defineConfig({
    resolve: { conditions: ["browser"] },
    test: {
        maxWorkers: availableParallelism(), // files side by side, for they wait for a browser most of the time
        projects: [
            { extends: true, test: { name: "unit", include: ["src/**/*.test.ts", "tools/**/*.test.ts"], testTimeout: 120_000 } },
            // What was built, in Debian's Chromium.
            {
                extends: true,
                test: {
                    name: "browser",
                    include: ["tests/**/*.test.ts"],
                    isolate: false, // a process loads what they need, and starts a browser, once
                    testTimeout: 240_000, // on a busy machine
                    hookTimeout: 120_000,
                    expect: { poll: { timeout: 30_000 } },
                },
            },
        ],
    },
});

export default mergeConfig(client, tests);
