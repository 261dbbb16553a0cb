// Parts of the table that others make; each is used where it is there.
import type { Component } from "svelte";
import type { Action } from "../lib/protocol";
import type { TableConnection, TableState } from "../lib/table.svelte";

export type Part = Component<{ table: TableState; connection: TableConnection; onuse?: (actions: readonly Action[]) => void }>;

const parts = import.meta.glob<{ default: Part }>(["./Sheet.svelte", "./Notepad.svelte", "./End.svelte", "./Hint.svelte", "./Chat.svelte", "./Orders.svelte", "./Clock.svelte"], {
    eager: true,
});
const part = (name: string): Part | undefined => parts[`./${name}.svelte`]?.default;

export const Sheet = part("Sheet");
export const Notepad = part("Notepad");
export const End = part("End");
export const Hint = part("Hint");
export const Chat = part("Chat");
export const Orders = part("Orders");
export const Clock = part("Clock");

const rules = import.meta.glob<{ default: Component<{ clause: string }> }>("../rules/RuleLink.svelte", { eager: true });
export const RuleLink = rules["../rules/RuleLink.svelte"]?.default;
