import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { openPrograms, type Programs } from '../hostile/programs.fixture.ts';
import { kubectlVersion } from '../kubectl.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** A user, and the rights that it has here beyond those of upstream's own roles. */
interface Subject {
  /** The name of the file with the rows that upstream's roles lead to. */
  readonly name: string;
  /** The arguments of kubectl that choose the user. */
  readonly as: string;
  /** Further rows, from the objects of kubeadm and of add-ons. */
  readonly more: readonly string[];
  /** @defaultValue no warning */
  readonly warning?: string;
}

const subjects: readonly Subject[] = [
  { name: 'admin', as: '', more: [] },
  {
    name: 'view',
    as: '--as=vera',
    // The metrics-server adds them to the roles of users.
    more: [
      'nodes.metrics.k8s.io | [] | [] | [get list watch]',
      'pods.metrics.k8s.io | [] | [] | [get list watch]',
    ],
  },
  { name: 'service-account', as: '--as=system:serviceaccount:default:default', more: [] },
  {
    name: 'node',
    as: '--as=system:node:node-1 --as-group=system:nodes',
    // kubeadm lets nodes renew their certificates.
    more: ['certificatesigningrequests.certificates.k8s.io/selfnodeclient | [] | [] | [create]'],
    warning: 'the list may be incomplete: node authorizer does not support user rule resolution',
  },
];

/**
 * Returns the rows of a table of kubectl, sorted, each with sorted verbs.
 *
 * The order of the verbs of two roles, and therefore that of rows, depends on the order of bindings, which upstream's
 * informer does not define.
 */
function rowsOf(table: string): readonly string[] {
  const [header = '', ...lines] = table.trimEnd().split('\n');
  const starts = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'].map((title) =>
    header.indexOf(title),
  );
  const rows = lines.map((line) =>
    starts.map((start, column) => line.slice(start, starts[column + 1]).trim()).join(' | '),
  );
  const sorted = rows.map((row) =>
    row.replace(/\[([^[\]]*)\]$/, (_, verbs: string) => `[${verbs.split(' ').sort().join(' ')}]`),
  );
  return sorted.sort();
}

/**
 * The files contain the rows that kubectl prints for upstream's roles and bindings.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/cluster-roles.yaml,
 * cluster-role-bindings.yaml; kubernetes/kubectl@v0.36.3 pkg/cmd/auth/cani.go CanIOptions.printStatus,
 * pkg/util/rbac/rbac.go BreakdownRule, CompactRules
 */
describe.skipIf(kubectlVersion() === undefined)('kubectl auth can-i --list', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await openPrograms(components);
    const bind = 'kubectl create rolebinding vera --clusterrole=view --user=vera';
    expect(await programs.run(bind)).toMatchObject({ code: 0 });
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  test.each(subjects)(
    'prints the rights that the roles of upstream contain: $name',
    async ({ name, as, more, warning }) => {
      const { code, out, err } = await programs.run(`kubectl auth can-i --list -n default ${as}`);
      const file = await readFile(path.join(import.meta.dirname, `${name}.txt`), 'utf8');
      expect(rowsOf(out)).toEqual([...file.trimEnd().split('\n'), ...more].sort());
      expect({ code, err: err.trim() }).toEqual({ code: 0, err: warning ? `Warning: ${warning}` : '' });
    },
  );
});
