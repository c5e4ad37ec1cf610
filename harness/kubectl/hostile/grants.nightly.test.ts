import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { issue } from '../../serving/hostile/front.fixture.ts';
import { testGrants } from '../../serving/hostile/grants.fixture.ts';
import { openPrograms } from './programs.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testGrants(() => openPrograms(components));

test('kubectl reports the rights that its user cannot grant', async () => {
  await using programs = await openPrograms(components);
  const jane = issue(programs.pki.authority, programs.cluster.clock.now(), { name: 'jane' });
  const verbs = 'get,list,create,update,patch,delete';
  const setup = [
    `kubectl create clusterrole writer --verb=${verbs} --resource=roles,rolebindings,clusterroles,clusterrolebindings`,
    'kubectl create clusterrolebinding jane --clusterrole=writer --user=jane',
    'kubectl create clusterrolebinding jane-views --clusterrole=view --user=jane',
    'kubectl create role mine --verb=get --resource=pods',
  ];
  for (const command of setup) expect(await programs.run(command)).toMatchObject({ code: 0 });
  const SECRETS = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';
  const lacks = (rights: string): string =>
    `user "jane" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rights}`;
  const refused = async (command: string, rights: string): Promise<void> => {
    const { code, err } = await programs.run(command, jane);
    expect([command, code, err.replaceAll('\\n', '\n')]).toEqual([
      command,
      1,
      expect.stringContaining(lacks(rights)),
    ]);
  };
  const role = (name: string) =>
    JSON.stringify({
      ...{
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { namespace: 'default', name },
      },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    });
  await programs.write('new.json', role('new'));
  await programs.write('mine.json', role('mine'));
  await refused('kubectl create role new --verb=get --resource=secrets', SECRETS);
  await refused('kubectl apply -f new.json', SECRETS);
  await refused('kubectl apply --server-side -f new.json', SECRETS);
  await refused('kubectl apply --server-side --force-conflicts -f mine.json', SECRETS);
  await refused('kubectl replace -f mine.json', SECRETS);
  await refused('kubectl auth reconcile -f mine.json', SECRETS);
  const rules = JSON.stringify({ rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] });
  await refused(`kubectl patch role mine --type=merge -p '${rules}'`, SECRETS);
  const all = '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}';
  await refused('kubectl create rolebinding r --clusterrole=cluster-admin --user=jane', all);
  await refused('kubectl create clusterrolebinding c --clusterrole=cluster-admin --user=jane', all);
  await refused('kubectl set subject clusterrolebinding cluster-admin --user=jane', all);
  expect((await programs.run('kubectl create rolebinding r --role=later --user=jane', jane)).err).toContain(
    'roles.rbac.authorization.k8s.io "later" not found',
  );
  expect(
    (await programs.run('kubectl create clusterrole all --aggregation-rule=any=thing', jane)).err,
  ).toContain('must have cluster-admin privileges to use the aggregationRule');
  expect((await programs.run('kubectl create role fine --verb=get --resource=pods', jane)).code).toBe(0);
  expect((await programs.run('kubectl auth can-i get secrets', jane)).out).toBe('no\n');
});
