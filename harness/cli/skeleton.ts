/** What a skeleton is made for. */
export interface SkeletonOptions {
  /** `41-kubelet` */
  readonly id: string;
  /** What its files are called, and what it exports: `kubelet`. */
  readonly noun: string;
}

/**
 * The files of a kata that is still to be written, by path: the smallest that hangs together. Wherever its author has to write
 * something stands `AUTHOR:` and what; the workbook's tests are red until the last of these is gone.
 */
export function skeletonOf({ id, noun }: SkeletonOptions): ReadonlyMap<string, string> {
  const [number = ''] = id.split('-');
  const subject = noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const file = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
  return new Map([
    [
      `katas/${id}/README.md`,
      file(
        `# Kata ${number} · AUTHOR: what it is called`,
        '',
        'AUTHOR: what it is about, in one sentence; the table in README.md has it, too.',
        '',
        '## What you will see in a cluster',
        '',
        'AUTHOR: a command, and what it prints.',
        '',
        '## The idea',
        '',
        'AUTHOR: why this exists, and what breaks without it.',
        '',
        '## What you build',
        '',
        `AUTHOR: the functions of [${noun}.ts](${noun}.ts), a line each.`,
        '',
        '## Levels',
        '',
        `\`npx vitest katas/${id}\` shows one thing at a time. Stuck? \`npm run kata -- hint ${number} 1\`.`,
        '',
        '### Level 1 · AUTHOR: its idea',
        '',
        'AUTHOR: one worked example, in numbers where there are numbers.',
        '',
        '## Laws',
        '',
        '- **Truthful** – AUTHOR: what always holds, and under which faults.',
        '',
        '## How Kubernetes does it',
        '',
        'AUTHOR: where upstream has it, at a tag, and what differs here.',
        '',
        '## Size',
        '',
        'AUTHOR: measure it. 1 functions to write, for which the reference takes some 1 lines. Plan two hours.',
      ),
    ],
    [
      `katas/${id}/HINTS.md`,
      file(
        `# Hints · Kata ${number}`,
        '',
        '## Level 1',
        '',
        '### 1 · A question',
        '',
        'AUTHOR: the question that leads to the idea.',
        '',
        '### 2 · A direction',
        '',
        'AUTHOR: where to look for the answer.',
        '',
        '### 3 · The shape',
        '',
        'AUTHOR: the shape of the code.',
        '',
        '## Truthful',
        '',
        'AUTHOR: what to ask oneself when it is red, in any shape of code.',
        '',
        'See Level 1.',
      ),
    ],
    [
      `katas/${id}/${noun}.ts`,
      file(
        "import { type Component, todo } from '#harness';",
        '',
        `const KATA = '${id}';`,
        '',
        '// Level 1',
        '',
        '/** AUTHOR: what must hold, each case of it, and where upstream has it. */',
        `export const ${subject}: Component = async (context) => {`,
        `  todo(KATA, '${subject}', 'Level 1');`,
        '};',
      ),
    ],
    [
      `katas/${id}/${noun}.test.ts`,
      file(
        "import { describe, expect, test } from 'vitest';",
        `import { ${subject} } from '#kata/${id}/${noun}';`,
        '',
        "describe('Level 1 · AUTHOR: its idea', () => {",
        "  test('AUTHOR: what it does, as a sentence in the present tense', async () => {",
        `    expect(${subject}, 'AUTHOR: write the first example').toBeUndefined();`,
        '  });',
        '});',
      ),
    ],
    [
      `katas/${id}/${noun}.properties.test.ts`,
      file(
        "import { describe, test } from 'vitest';",
        "import { holds } from '#harness/testing';",
        `import { ${subject} } from '#kata/${id}/${noun}';`,
        `import { laws, live, scenarios } from '#laws/${id}';`,
        '',
        "describe('The laws', () => {",
        "  test('Truthful: AUTHOR: what always holds', () =>",
        `    holds(laws.truthful, scenarios, (scenario) => live(${subject}, scenario)));`,
        '});',
      ),
    ],
    [
      `harness/laws/${id}/index.ts`,
      file(
        "export * as laws from './laws.ts';",
        "export { live, type Scenario, scenarios } from './scenario.ts';",
      ),
    ],
    [
      `harness/laws/${id}/laws.ts`,
      file(
        "import type { ClusterRun } from '../../testing/rig/play.ts';",
        "import type { Breach } from '../../testing/holds.ts';",
        '',
        '/** AUTHOR: the law, as a predicate over what happened. It gives each breach, and when it was. */',
        'export function truthful(_: ClusterRun): readonly Breach[] {',
        "  return [{ atMs: 0, message: 'AUTHOR: write the law' }];",
        '}',
      ),
    ],
    [
      `harness/laws/${id}/scenario.ts`,
      file(
        "import fc from 'fast-check';",
        "import { createCluster } from '../../cluster/cluster.ts';",
        "import type { Component } from '../../contracts/component.ts';",
        "import { type ClusterRun, recordOf } from '../../testing/rig/play.ts';",
        '',
        '/** AUTHOR: everything that is drawn for one run: objects, steps, faults. */',
        'export interface Scenario {',
        '  readonly seed: number;',
        '}',
        '',
        '/** Scenarios, which shrink towards the smallest. */',
        'export const scenarios: fc.Arbitrary<Scenario> = fc.record({ seed: fc.nat() });',
        '',
        '/** Runs a component through a scenario. AUTHOR: take its steps, heal, and wait until it rests. */',
        'export async function live(component: Component, { seed }: Scenario): Promise<ClusterRun> {',
        '  await using cluster = await createCluster({ seed });',
        `  cluster.run('${noun}', component);`,
        '  await cluster.runFor(1_000);',
        '  return recordOf(cluster);',
        '}',
      ),
    ],
    [
      `harness/laws/${id}/world.bench.ts`,
      file(
        "import { compareLives } from '../../testing/lives.ts';",
        "import * as laws from './laws.ts';",
        "import { live, scenarios } from './scenario.ts';",
        '',
        "const { components } = await import('#components');",
        '',
        `// AUTHOR: a row of docs/benchmarks.md for this file; and components.${subject}, once it is a part of clusters.`,
        `compareLives('${noun}', {`,
        '  scenarios,',
        '  live: (scenario) => live(components.replicaSetController, scenario),',
        '  laws: Object.values(laws),',
        '});',
      ),
    ],
    [`harness/laws/${id}/golden/screens.json`, '[]\n'],
    [
      `solutions/${id}/README.md`,
      file(
        `# Solution ${number}`,
        '',
        'AUTHOR: each of our functions and its upstream symbol, at a tag; then what is left out.',
      ),
    ],
    [
      `solutions/${id}/${noun}.ts`,
      file(
        "import type { Component } from '#harness';",
        '',
        '// AUTHOR: the reference. Comment only the decisions.',
        `export const ${subject}: Component = async () => {};`,
      ),
    ],
    [
      `solutions/${id}/mistakes.ts`,
      file(
        "import type { Mistake } from '#harness/testing';",
        '',
        '/** AUTHOR: at least twelve mistakes that people really made, each an edit or two of the reference. */',
        'export const mistakes: readonly Mistake[] = [];',
      ),
    ],
    [
      `solutions/${id}/variants.ts`,
      file(
        "import type { Variant } from '#harness/testing';",
        '',
        '/** AUTHOR: at least two implementations that are odd and right, one of them free. */',
        'export const variants: readonly Variant[] = [];',
      ),
    ],
  ]);
}

/** The rows that the author adds to what exists, as sentences. */
export function rowsToAdd({ id, noun }: SkeletonOptions): readonly string[] {
  const subject = noun.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    `its port in Components: harness/contracts/component.ts, "${subject}"`,
    `its row in the table of components: harness/cluster/component-table.ts, { kata: '${id}', subject: '${subject}' }`,
    `its implementation: solutions/components.ts and katas/components.ts`,
    'its row in the table of katas of README.md, and its bench in docs/benchmarks.md',
  ];
}
