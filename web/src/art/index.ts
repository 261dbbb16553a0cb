import "./art.css";

export { default as Board } from "./Board.svelte";
export { default as Coin } from "./Coin.svelte";
export { default as Emblem } from "./Emblem.svelte";
export { default as FieldCrowd } from "./FieldCrowd.svelte";
export { default as FieldLight } from "./FieldLight.svelte";
export { default as Figure } from "./Figure.svelte";
export { default as Grail } from "./Grail.svelte";
export { default as Icon } from "./Icon.svelte";
export { default as Logo } from "./Logo.svelte";
export { default as Night } from "./Night.svelte";
export { default as Portrait } from "./Portrait.svelte";
export { default as Proposal } from "./Proposal.svelte";
export { default as Sign } from "./Sign.svelte";
export { default as Trace } from "./Trace.svelte";
export { ICONS, type IconName } from "./icons";
export * from "./layout";
export { type FigureState } from "./model";
