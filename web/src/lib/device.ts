// What a browser calls itself in the list of one's sessions: "Firefox, Android". Nothing finer is said or kept.
const browsers = [
    ["Edge", /Edg(e|A|iOS)?\//],
    ["Opera", /OPR\//],
    ["Firefox", /(Firefox|FxiOS)\//],
    ["Chrome", /(Chrome|CriOS)\//],
    ["Safari", /Safari\//],
] as const;

const systems = [
    ["iPhone", /iPhone/],
    ["iPad", /iPad/],
    ["Android", /Android/],
    ["Windows", /Windows/],
    ["macOS", /Mac OS X/],
    ["ChromeOS", /CrOS/],
    ["Linux", /Linux/],
] as const;

export function deviceName(agent: string = globalThis.navigator?.userAgent ?? ""): string {
    const found = [browsers, systems].map((kinds) => kinds.find(([, sign]) => sign.test(agent))?.[0]);
    return found.filter(Boolean).join(", ");
}
