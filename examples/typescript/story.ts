// Ask a deckproof server with the generated types: node story.js http://localhost:8000
import createClient from "openapi-fetch";
import type { paths } from "./deckproof.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "http://localhost:8000" });
const decklist = "1 ST21-001\n4 OP01-016 Nami";
const on = "2026-11-21";

const { data: verdict, error } = await client.POST("/v1/validate", { body: { game: "optcg", decklist, on, summary: true } });
if (!verdict) throw new Error(error?.detail);
const { data: repaired } = await client.POST("/v1/repair", { body: { game: "optcg", decklist, on } });
const { data: rulesets } = await client.GET("/v1/rulesets");
const { data: limits } = await client.GET("/v1/limits/{game}", { params: { path: { game: "optcg" }, query: { on } } });
const { data: card } = await client.GET("/v1/cards/{game}/{number}", {
  params: { path: { game: "optcg", number: "op01-016_p1" } },
});
const { error: problem } = await client.POST("/v1/validate", { body: { ruleset: "chess-1", decklist } });

console.log(
  JSON.stringify({
    legal: verdict.legal,
    codes: verdict.findings.map((finding) => finding.code),
    section: verdict.findings[0]?.rule.section,
    changes: repaired?.changes,
    rulesets: rulesets?.rulesets.map((ruleset) => ruleset.id),
    banned: limits?.cards.length,
    card: card?.name,
    pointer: problem?.errors?.[0]?.pointer,
  }),
);
