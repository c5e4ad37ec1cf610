import type { Group, Row } from './row.ts';

/** `docs/kubectl.md`, from what is known of each command. */
export function kubectlTable(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows).filter(({ hidden }) => !hidden);
  const count = (verdict: string): number => rows.filter((row) => verdictOf(row).startsWith(verdict)).length;
  return [
    '# kubectl, command by command',
    '',
    `What a real kubectl can do with \`npm run cluster\`: ${rows.length} commands that people type every day, of which ${count('works')} work as`,
    `on a real cluster, ${count('partly')} partly and ${count('not')} not.`,
    '',
    '`npm run kubectl` runs them all in `docs/`, with the kubectl of the PATH, which must be 1.33 or later, and writes this file: what is',
    'said here is what came of it. `harness/kubectl/everyday/` is what it expects. What differs from a real cluster beyond single commands',
    'stands in [limits.md](limits.md).',
    ...groups.flatMap(sectionOf),
    '',
  ].join('\n');
}

function sectionOf({ title, rows }: Group): readonly string[] {
  const shown = rows.filter(({ hidden }) => !hidden);
  return [
    '',
    `## ${title}`,
    '',
    '| command | here |',
    '|---|---|',
    ...shown.map((row) => `| \`${row.command.replaceAll('|', '\\|')}\` | ${verdictOf(row)} |`),
  ];
}

function verdictOf({ lacks, why }: Row): string {
  if (why !== undefined) return `not: ${why}`;
  return lacks === undefined ? 'works' : `partly: ${lacks}`;
}
