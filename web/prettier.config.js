/** Wide enough for a sentence or a row of a table: what is one thought stays on one line. */
export default {
    tabWidth: 4,
    printWidth: 160,
    plugins: ["prettier-plugin-svelte"],
};
