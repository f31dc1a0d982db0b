/** The table of Hazel: it has no drawings of its own. */
import { plainTable } from "../plain/table";

export const table = plainTable({
  prefix: "hz",
  seatNames: ["oak", "birch", "pine"],
  untold: ["shuffled", "dealt"],
  begins: ["round"],
});
