import { expect, test } from 'vitest';
import { knownFailures } from './known-failures.ts';
import { testScripts } from './run-scripts.fixture.ts';
import { scripts } from './scripts/index.ts';

/**
 * The scripts of every run: a kubectl that discovers, creates, reads, edits, applies, patches, deletes, and opens a
 * stream. `kubectl.nightly.test.ts` runs all scripts.
 */
const sources = [
  'core.sh run_pod_tests: edit while creating',
  'apps.sh run_kubectl_apply_deployments_tests',
  'diff.sh run_kubectl_diff_same_names',
  'create.sh run_kubectl_create_dry_run_tests',
  'create.sh run_kubectl_create_filter_tests',
  'authorization.sh run_impersonation_tests',
  'exec.sh',
];
const chosen = scripts.filter(({ source }) => sources.includes(source));

testScripts(chosen);

test('every chosen script exists', () => {
  expect(chosen.map(({ source }) => source).sort()).toEqual([...sources].sort());
});

test('every known failure is a command of a script', () => {
  const listed = knownFailures.flatMap(({ commands }) =>
    commands.map(([source, command]) => `${source}: ${command}`),
  );
  const all = scripts.flatMap(({ source, steps }) => steps.map(({ command }) => `${source}: ${command}`));
  expect(listed.filter((each) => !all.includes(each))).toEqual([]);
});

test('every script has a unique name', () => {
  expect(new Set(scripts.map(({ source }) => source)).size).toBe(scripts.length);
});
