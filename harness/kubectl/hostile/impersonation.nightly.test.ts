import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { issue } from '../../serving/hostile/front.fixture.ts';
import { testImpersonation } from '../../serving/hostile/impersonation.fixture.ts';
import { openPrograms } from './programs.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testImpersonation(() => openPrograms(components));

test('kubectl reports who may not act as whom', async () => {
  await using programs = await openPrograms(components);
  const bob = issue(programs.pki.authority, programs.cluster.clock.now(), { name: 'bob' });
  const account = 'system:serviceaccount:default:default';
  const pods = 'kubectl get --raw /api/v1/namespaces/default/pods';
  const errorOf = async (command: string, user = bob): Promise<string> =>
    (await programs.run(command, user)).err;
  expect(await errorOf(`${pods} --as=jane`)).toBe(
    'Error from server (Forbidden): users "jane" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope\n',
  );
  expect(await errorOf(`${pods} --as=${account}`, programs.admin)).toBe(
    `Error from server (Forbidden): pods is forbidden: User "${account}" cannot list resource "pods" in API group "" in the namespace "default"\n`,
  );
  expect(await errorOf('kubectl get pods --as-group=system:masters')).toContain(
    'without impersonating a user',
  );
  expect((await programs.run('kubectl auth whoami --as=jane --as-group=dev -o name')).code).toBe(0);
  const can = await programs.run(`kubectl auth can-i list pods --as=${account}`);
  expect(can).toMatchObject({ code: 1, out: 'no\n' });
  expect((await programs.run('kubectl auth can-i "*" "*"')).out).toBe('yes\n');
});
