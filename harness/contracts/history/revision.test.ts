import { describe, expect, test } from 'vitest';
import type { ControllerRevision } from '../../api/objects.ts';
import { byRevision, restores, revisionData, revisionHash, revisionName, templateOf } from './revision.ts';

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/statefulset/testdata/compatibility_revision_1.34.0.json
const template = {
  metadata: { annotations: { test: 'value' }, labels: { app: 'foo' } },
  spec: {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    containers: [
      {
        name: 'test',
        image: 'test',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'Always',
      },
    ],
  },
};

const revision = (number: number, name: string, creationTimestamp = '2026-01-01T00:00:00Z') =>
  ({
    metadata: { name, creationTimestamp },
    data: revisionData(template),
    revision: number,
  }) as ControllerRevision;

describe('A revision', () => {
  test('has the hash that upstream gives to the same template', () => {
    expect(revisionHash(template, 0)).toBe('776999688b');
  });

  test('has another hash for each collision count, and without one', () => {
    const hashes = [undefined, 0, 1, 2].map((count) => revisionHash(template, count));
    expect(new Set(hashes).size).toBe(4);
  });

  test('does not depend on the order of fields', () => {
    const { spec, metadata } = template;
    expect(revisionHash({ spec, metadata }, 0)).toBe('776999688b');
    expect(restores(revision(1, 'a'), { spec, metadata })).toBe(true);
  });

  test('restores its template', () => {
    expect(templateOf(revision(1, 'a'))).toEqual(template);
    expect(restores(revision(1, 'a'), template)).toBe(true);
    expect(restores(revision(1, 'a'), { ...template, metadata: {} })).toBe(false);
  });

  test('has the name of its owner, truncated to leave room for the hash', () => {
    expect(revisionName('web', 'abc')).toBe('web-abc');
    expect(revisionName('w'.repeat(253), 'abc')).toBe(`${'w'.repeat(223)}-abc`);
  });

  test('is sorted by number, then by age, then by name', () => {
    const all = [
      revision(2, 'a'),
      revision(1, 'd', '2026-01-01T00:00:01Z'),
      revision(1, 'c'),
      revision(1, 'b'),
    ];
    expect(all.toSorted(byRevision).map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'd', 'a']);
  });
});
