import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { newAuthority } from '../../mount/tls.ts';
import { testCredentials } from '../../serving/hostile/credentials.fixture.ts';
import { issue } from '../../serving/hostile/front.fixture.ts';
import { openPrograms, quoted } from './programs.fixture.ts';

const { components } = (await import('#components')) as { readonly components: Components };

testCredentials(() => openPrograms(components));

test('A certificate that expires between two requests of a connection is refused for the second one', async () => {
  await using programs = await openPrograms(components);
  const { cluster, pki } = programs;
  const path = '/api/v1/namespaces/default/configmaps';
  const nowMs = cluster.clock.now();
  const files = await programs.presenting(
    issue(pki.authority, nowMs, { name: 'ann', groups: ['system:masters'], notAfterMs: nowMs + 60_000 }),
  );
  // The watch keeps the connection busy until the certificate has expired.
  const urls = [`${path}?watch=1&timeoutSeconds=90`, path].flatMap((at) => ['-o', 'answer', `$URL${at}`]);
  const words = [...files, ...urls].map((word) => (word.startsWith('$') ? `"${word}"` : quoted(word)));
  const { out } = await programs.run(
    `curl -sS --cacert ca.crt -w '%{http_code} %{num_connects}\\n' ${words.join(' ')}`,
  );
  expect(out).toBe('200 1\n401 0\n');
});

test('kubectl reports bad credentials', async () => {
  await using programs = await openPrograms(components);
  const nowMs = programs.cluster.clock.now();
  const forged = issue(newAuthority(nowMs), nowMs, { name: 'ann', groups: ['system:masters'] });
  const login = 'error: You must be logged in to the server';
  for (const user of [forged, { token: 'wrong' }]) {
    expect((await programs.run('kubectl get pods', user)).err).toContain(
      `${login} (the server has asked for the client to provide credentials)\n`,
    );
    expect(await programs.run(`kubectl get --raw /api/v1/pods`, user)).toMatchObject({
      code: 1,
      err: `${login} (Unauthorized)\n`,
    });
  }
  expect((await programs.run('kubectl get pods --token=wrong')).code).toBe(0);
  const ann = issue(programs.pki.authority, nowMs, { name: 'ann' });
  expect(await programs.run('kubectl get secrets -A', ann)).toMatchObject({
    code: 1,
    err: 'Error from server (Forbidden): secrets is forbidden: User "ann" cannot list resource "secrets" in API group "" at the cluster scope\n',
  });
});
