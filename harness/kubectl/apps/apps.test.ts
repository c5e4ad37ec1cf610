import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { namespaces } from '../../api/resource.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import { registriesFor } from '../../cli/images.ts';
import { firstMissingEffects } from '../../cli/inert-kinds.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Components } from '../../contracts/component.ts';
import { AS_SERVED } from '../../serving/serve-cluster.ts';
import { pathOf, resourceOf } from '../projects/projects.ts';
import { type App, appCalled, apps } from './apps.ts';
import { type Outcome, outcomeOf, textOf } from './outcome.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Applications with most kinds of pods. `apps.nightly.test.ts` applies all, with a real kubectl. */
const chosen = ['sidecar', 'team-limits', 'fanout'];

/** The longest wait, in virtual ms. */
const WAIT_MS = 60_000;

const WARNING = /299 - "(.*) \(docs\/limits\.md\)"/;

const table = readFileSync(path.join(import.meta.dirname, 'outcomes.txt'), 'utf8');

/** The rows of the table, each with the lines below it. */
const rows = table.split(/(?<=\n)(?! )/);

/** Applies applications to a new cluster on the server side, and waits for their objects. */
async function outcomesOf(applied: readonly App[]): Promise<readonly Outcome[]> {
  const { cluster: whole } = await createWholeCluster({
    ...AS_SERVED,
    ...{ components, secured: true, nodes: 1, names: false },
    registry: registriesFor({ anyImage: true, tell: () => {} }),
  });
  await using cluster = whole;
  const named = applied.filter(({ ownNamespaces }) => !ownNamespaces);
  for (const { namespace } of named) {
    await cluster.admin.create(namespaces, { metadata: { name: namespace }, spec: {} });
  }
  await cluster.runFor(5_000);
  const user = cluster.replica().server.authorized({ name: 'jane', groups: ['system:masters'] });
  const handler = createHandler(user, { warningAbout: firstMissingEffects() });
  const warnings: string[][] = [];
  for (const app of applied) {
    const own: string[] = [];
    warnings.push(own);
    for (const object of app.objects) {
      const at = pathOf(object, resourceOf(object), app.namespace);
      const response = await cluster.settle(handler(applyRequest(at, object)));
      expect([at, response.status]).toEqual([at, 201]);
      const [, warning] = WARNING.exec(response.headers.get('warning') ?? '') ?? [];
      if (warning !== undefined) own.push(warning);
    }
  }
  const look = (): readonly Outcome[] =>
    applied.map((app, at) => outcomeOf(app, cluster.storage, warnings[at] ?? []));
  await cluster.runUntil(() => look().every(({ unfinished }) => unfinished.length === 0), WAIT_MS);
  return look();
}

const nameOf = (row: string): string => row.slice(0, 28).trim();

function applyRequest(path: string, object: object): Request {
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const body = JSON.stringify(object);
  return new Request(`http://apiserver${path}?fieldManager=kubectl`, { method: 'PATCH', headers, body });
}

describe('An application', () => {
  test(`has the outcome of the table: ${chosen.join(', ')}`, async () => {
    const outcomes = await outcomesOf(chosen.map(appCalled));
    const names = new Set(chosen);
    expect(outcomes.map((each) => textOf([each])).sort()).toEqual(
      rows.filter((row) => names.has(nameOf(row))),
    );
  });

  test('stands in the table', () => {
    expect(rows.map(nameOf)).toEqual(apps.map(({ name }) => name));
  });
});
