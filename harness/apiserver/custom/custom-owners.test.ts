import { describe, expect, test } from 'vitest';
import { TABS, tab, withCronTabs } from './cron-tabs.fixture.ts';

const APPLY = { 'Content-Type': 'application/apply-patch+yaml' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

interface Entry {
  readonly manager: string;
  readonly fieldsV1: object;
}

// Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/registry/customresource/status_strategy.go
// statusStrategy.GetResetFields
describe('A write of the status of a custom resource', () => {
  test.each([
    ['an apply', 'PATCH', APPLY],
    ['an update', 'PUT', {}],
    ['a merge patch', 'PATCH', MERGE],
  ])('changes no metadata, and its manager owns only the status: %s', async (_, method, headers) => {
    const { send } = await withCronTabs();
    const { body: created } = await send('PATCH', `${TABS}/mine?fieldManager=owner`, tab(), APPLY);
    const { managedFields: __, ...metadata } = created.metadata;
    const sent = {
      ...(headers === APPLY ? tab() : { ...created, metadata }),
      metadata: {
        ...(headers === APPLY ? {} : metadata),
        name: 'mine',
        labels: { l: '1' },
        annotations: { n: '1' },
      },
      status: { replicas: 3 },
    };
    const { code, body } = await send(method, `${TABS}/mine/status?fieldManager=st`, sent, headers);
    expect([code, body.metadata.labels, body.metadata.annotations]).toEqual([200, undefined, undefined]);
    const owned = (body.metadata.managedFields as readonly Entry[]).find(({ manager }) => manager === 'st');
    expect(Object.keys(owned?.fieldsV1 ?? {})).toEqual(['f:status']);
  });
});
