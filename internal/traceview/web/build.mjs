// Builds the page into ../assets, which is committed: building loam needs no node.
import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const assets = new URL("../assets/", import.meta.url).pathname;

for (const [page, script] of [["main", "view"], ["simulation", "simulation"]]) {
  await esbuild.build({
    entryPoints: [`src/${page}.ts`],
    bundle: true,
    minify: true,
    target: "es2022",
    format: "esm",
    legalComments: "none",
    outfile: assets + script + ".js",
  });
}
await esbuild.build({
  entryPoints: ["src/style.css"],
  bundle: true,
  minify: true,
  outfile: assets + "view.css",
});
for (const page of ["index.html", "simulation.html"]) copyFileSync("src/" + page, assets + page);

// The licences of what is bundled go where the bundle goes.
const bundled = ["uplot", "d3-flame-graph", "d3-array", "d3-color", "d3-dispatch", "d3-ease", "d3-format",
  "d3-hierarchy", "d3-interpolate", "d3-scale", "d3-selection", "d3-time", "d3-time-format", "d3-timer",
  "d3-transition", "internmap"];
writeFileSync(assets + "LICENSES.txt", bundled.map((name) => {
  const version = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
}).join("\n" + "-".repeat(80) + "\n\n"));

// TestAssets in ../server_test.go compares this with the sources.
const hash = createHash("sha256");
for (const name of [...readdirSync("src").map((n) => "src/" + n), "build.mjs", "package.json", "package-lock.json"].sort()) {
  const data = readFileSync(name);
  hash.update(`${name} ${data.length}\n`);
  hash.update(data);
}
writeFileSync(assets + "SOURCE", hash.digest("hex") + "\n");
