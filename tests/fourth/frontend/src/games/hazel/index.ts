import type { GameFace } from "../../lib/game";

export const face: GameFace = {
  name: "hazel",
  order: 4,
  rulePrefix: "HZ",
  table: () => import("./table").then((module) => module.table),
};
