import type { Group, Row } from './row.ts';

/** Renders `docs/kubectl.md` from the expected results. */
export function kubectlTable(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows).filter(({ hidden }) => !hidden);
  const count = (verdict: string): number => rows.filter((row) => verdictOf(row).startsWith(verdict)).length;
  return [
    '# kubectl, command by command',
    '',
    `This page lists ${rows.length} everyday commands of a real kubectl. With \`npm run cluster\`, ${count('works')} work as on a real cluster,`,
    `${count('partly')} partly, and ${count('not')} not at all.`,
    '',
    '`npm run kubectl` runs them all in `docs/`, with the kubectl on the PATH, which must be 1.33 or later, and writes this file',
    'from the results. `harness/kubectl/everyday/` contains the expected results. Other differences from a real cluster are',
    'listed in [limits.md](limits.md).',
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
