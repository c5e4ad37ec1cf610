import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CoreWorkbook } from './core-workbook.fixture.ts';
import { RunHere } from './run-here.fixture.ts';

const STUB = 'katas/12-store/store.ts';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

test("npm run cluster -- --mine keeps its objects in the learner's store, which restarts when it is saved", async () => {
  using workbook = new CoreWorkbook(['12-store']);
  const { root } = workbook;
  await using cluster = new RunHere(
    { root, cwd: root },
    ...['--alone', '--mine', '--http', '--kubeconfig', 'kubeconfig'],
  );
  await cluster.says('KUBECONFIG=');
  expect(cluster.out).toContain(
    '\nYour components: keyValueStore. Everything else is the reference implementation.\n',
  );
  const [server] = /http:\/\/127\.0\.0\.1:\d+/.exec(cluster.out) ?? [];
  const [, token] = /token: (\w+)/.exec(readFileSync(path.join(root, 'kubeconfig'), 'utf8')) ?? [];
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const create = async (name: string): Promise<number> => {
    const body = JSON.stringify({ metadata: { name } });
    return (await fetch(`${server}${CONFIG_MAPS}`, { method: 'POST', headers, body })).status;
  };
  expect(await create('before')).toBe(201);
  const file = path.join(root, STUB);
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
  await cluster.says(`${STUB} was saved and reloaded. The store restarts with its disk.\n`);
  expect([await create('after'), await create('before')]).toEqual([201, 409]);
  const list = (await (await fetch(`${server}${CONFIG_MAPS}`, { headers })).json()) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['after', 'before']);

  // A store that throws does not end the apiserver.
  const right = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    right.replace(
      'range: (request) =>',
      "range: (request) => { throw new TypeError('a slip'); },\n    other: (request) =>",
    ),
  );
  await cluster.says(/saved and reloaded.*\n[\s\S]*saved and reloaded/);
  expect(await create('with a slip')).toBe(500);
  await cluster.complains('The etcd failed and keeps running: TypeError: a slip\n');
  expect(cluster.err).toMatch(/ at .*range \(katas\/12-store\/store\.ts:\d+:\d+\)\n/);
  writeFileSync(file, right);
  await cluster.says(/(saved and reloaded.*\n[\s\S]*){3}/);
  expect(await create('mended')).toBe(201);
});
