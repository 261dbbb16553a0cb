// What a system is told that installs the game; vite-manifest.ts makes a file of it in every language, App.svelte links the
// one that is spoken.

/** Marks a text, as in lib/i18n.ts, which the build could not run. */
const N_ = (text: string): string => text;

export const manifest = {
    name: N_("The Hunt for the Grail"),
    short_name: N_("Grail"),
    description: N_("A game of hidden influence and bluffing for 2 to 12 players."),
    id: "./",
    start_url: "./",
    scope: "./",
    display: "standalone",
    background_color: "#0e1430",
    theme_color: "#0e1430",
    categories: ["games"],
    icons: [
        { src: "icon.svg", sizes: "any", type: "image/svg+xml" },
        { src: "icon-192.png", sizes: "192x192", type: "image/png" },
        { src: "icon-512.png", sizes: "512x512", type: "image/png" },
        { src: "icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
};
