import { keyOf, keyToString, type Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import { componentTable } from '../../cluster/component-table.ts';
import type { Action, TimedAction } from '../protocol/recipe.ts';
import type { Run } from '../run/run.ts';
import { sayAction } from './say-action.ts';
import { digitsOf, expressionOf, templateOf } from './typescript-text.ts';

/** The place of the test. Its imports begin there. */
export const SCENARIO_FILE = 'harness/page/scenario.test.ts';

/** The most actions that the name of the test mentions. */
const NAMED_MAX = 3;

/**
 * Writes a run up to now as a test in TypeScript: the actions at their times, and at the end the pods that are ready and
 * the hash of the trace. It first finishes the present instant, so that the test can stop at the same place.
 */
export async function scenarioOf(run: Run): Promise<string> {
  await run.advance(run.nowMs);
  const { head, nowMs, done, recipe, cluster } = run;
  const actions = recipe.actions.slice(0, done);
  const own = ownPartsOf(actions);
  const manifests = [
    ...new Set(actions.flatMap((one) => (one.do === 'kubectl' ? (one.manifest ?? []) : []))),
  ];
  const ready = (cluster.storage.list(pods) as Pod[])
    .filter((pod) => pod.metadata.namespace !== 'kube-system' && isReady(pod))
    .map((pod) => keyToString(keyOf(pod)))
    .sort();
  return [
    `// A run of the page as a test. Save it as ${SCENARIO_FILE}, and run it with`,
    '//',
    `//     npx vitest run --project harness ${SCENARIO_FILE}`,
    '',
    `import { expect, test } from 'vitest';`,
    `import { keyOf, keyToString, type Pod } from '../api/objects.ts';`,
    `import { isReady } from '../api/predicates.ts';`,
    `import { pods } from '../api/resource.ts';`,
    ...(own.length > 0 ? [`import { componentsIn } from '../cluster/own-components.ts';`] : []),
    `import type { Components } from '../contracts/component.ts';`,
    own.length > 0
      ? `import type { Implementations } from './run/parts.ts';`
      : `import { onlyReference } from './run/parts.ts';`,
    `import { Run } from './run/run.ts';`,
    '',
    `const { components } = (await import('#components')) as { readonly components: Components };`,
    ...implementationsOf(own),
    ...manifests.flatMap((text, index) => ['', `const ${manifestName(index)} = ${templateOf(text)};`]),
    '',
    `test(${expressionOf(nameOf(actions))}, async () => {`,
    `  await using run = await Run.begin(${expressionOf({ seed: head.seed, nodes: head.nodes })}, ${own.length > 0 ? 'implementations' : 'onlyReference(components)'});`,
    '  const { cluster } = run;',
    ...actions.flatMap((action, number) => stepOf(action, number, { actions, manifests })),
    '',
    '  // The page stands here.',
    `  await run.advance(${digitsOf(nowMs)});`,
    '  const ready = (cluster.storage.list(pods) as Pod[])',
    `    .filter((pod) => pod.metadata.namespace !== 'kube-system' && isReady(pod))`,
    '    .map((pod) => keyToString(keyOf(pod)));',
    ready.length === 0
      ? '  expect(ready).toEqual([]);'
      : `  expect(ready.sort()).toEqual([\n${ready.map((key) => `    ${expressionOf(key)},\n`).join('')}  ]);`,
    '  // The same run, to the byte. Another release of the harness may have another hash.',
    `  expect(cluster.trace.hash()).toBe(${expressionOf(cluster.trace.hash())});`,
    '});',
    '',
  ].join('\n');
}

/** The surroundings of an action in the test. */
interface Around {
  readonly actions: readonly TimedAction[];
  readonly manifests: readonly string[];
}

function stepOf(action: TimedAction, number: number, around: Around): readonly string[] {
  return ['', `  await run.advance(${digitsOf(action.atMs)});`, `  ${statementOf(action, number, around)}`];
}

function statementOf(
  { atMs, ...action }: TimedAction,
  number: number,
  { actions, manifests }: Around,
): string {
  if (action.do === 'fault') return `cluster.nemesis.strike(${expressionOf(action.fault)});`;
  if (action.do === 'heal') return 'cluster.nemesis.heal();';
  // A later action may name this one by its number.
  const isNamed = actions.some((one) => targetOf(one) === number);
  return `${isNamed ? `const ${commandName(number)} = ` : ''}await run.act(${argumentOf(action, manifests)});`;
}

function argumentOf(action: Action, manifests: readonly string[]): string {
  switch (action.do) {
    case 'kubectl': {
      const { manifest, ...rest } = action;
      if (manifest === undefined) return expressionOf(rest);
      const name = manifestName(manifests.indexOf(manifest));
      return expressionOf(rest).replace(/ \}$/, `, manifest${name === 'manifest' ? '' : `: ${name}`} }`);
    }
    case 'type': {
      const { into, ...rest } = action;
      return expressionOf(rest).replace(/ \}$/, `, into: ${commandName(into)}.number }`);
    }
    case 'interrupt':
      return `{ do: 'interrupt', command: ${commandName(action.command)}.number }`;
    default:
      return expressionOf(action);
  }
}

/** Returns the number of the command that an action belongs to. */
function targetOf(action: Action): number | undefined {
  if (action.do === 'type') return action.into;
  return action.do === 'interrupt' ? action.command : undefined;
}

function commandName(number: number): string {
  return `command${number + 1}`;
}

function manifestName(index: number): string {
  return index === 0 ? 'manifest' : `manifest${index + 1}`;
}

function nameOf(actions: readonly Action[]): string {
  if (actions.length === 0) return 'a cluster that nobody touches';
  const words = actions
    .slice(0, NAMED_MAX)
    .map((action) => sayAction(action, actions))
    .join('; ');
  const others = actions.length - NAMED_MAX;
  return others > 0 ? `${words}; and ${others} more` : words;
}

/** Returns the katas whose files the run uses instead of the reference. */
function ownPartsOf(actions: readonly Action[]): readonly string[] {
  const katas = actions.flatMap((action) =>
    action.do === 'use' && action.version !== 'reference' ? [componentTable[action.part].kata] : [],
  );
  return [...new Set(katas)];
}

/** Returns the declaration of the implementations, with the learner's files as they are now. */
function implementationsOf(katas: readonly string[]): readonly string[] {
  if (katas.length === 0) return [];
  return [
    '// Your files as they are now: the page may have run earlier versions of them.',
    'const own: Partial<Components> = {',
    ...katas.map((kata) => {
      const file = expressionOf(`../../katas/${kata}/${kata.slice('NN-'.length)}.ts`);
      return `  ...componentsIn('${kata}', await import(${file}), { unwritten: [] }),`;
    }),
    '};',
    'const implementations: Implementations = {',
    '  reference: components,',
    '  own: <K extends keyof Components>(part: K) => own[part] as Components[K],',
    '};',
  ];
}
