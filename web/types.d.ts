// What has no types of its own.
declare module "*.po" {
    export const plural: (n: number) => number;
    export const texts: Readonly<Record<string, string | readonly string[]>>;
}

declare module "*.net?url" {
    const url: string;
    export default url;
}

declare module "*.gral?url" {
    const url: string;
    export default url;
}

declare module "gettext-parser" {
    interface Entry {
        msgid: string;
        msgid_plural?: string;
        msgstr: string[];
        comments?: { flag?: string };
    }
    interface Catalogue {
        charset: string;
        headers: Record<string, string>;
        translations: Record<string, Record<string, Entry>>;
    }
    export const po: { parse(source: Uint8Array): Catalogue; compile(catalogue: Catalogue): Uint8Array };
}

declare module "subset-font" {
    interface Options {
        targetFormat?: "sfnt" | "woff" | "woff2";
        variationAxes?: Record<string, { min: number; max: number; default?: number }>;
        keepFeatures?: readonly string[];
        noHinting?: boolean;
    }
    export default function subset(font: Uint8Array, text: string, options?: Options): Promise<Uint8Array>;
}
