import { describe, expect, test } from 'vitest';
import type { DeploymentView } from '../../protocol/view.ts';
import { OWNER_COLOURS, type OwnerMarks, ownerMarks } from './owner-marks.ts';
import { deployment, pod } from './views.fixture.ts';

const web = deployment('web', ['web-7d4b9c', 'web-66f']);
const marksOf = (deployments: readonly DeploymentView[], before?: OwnerMarks): OwnerMarks =>
  ownerMarks({ deployments, workloads: [] }, before);
const names = ['web', 'api', 'shop', 'db', 'cache', 'queue'];

describe('The colour of a pod', () => {
  const marks = marksOf([web]);

  test('is the colour of its Deployment', () => {
    expect(marks.ofPod(pod('web-1')).colour).toBe(marks.ofDeployment(web).colour);
  });

  test('is hollow for a pod of an old ReplicaSet', () => {
    expect(marks.ofPod(pod('web-1')).isOld).toBe(false);
    expect(marks.ofPod(pod('web-2', { owner: 'ReplicaSet web-66f' })).isOld).toBe(true);
  });

  test('is absent for a pod without an owner, and for the pods of the cluster itself', () => {
    expect(marks.ofPod(pod('curl', { owner: undefined, deployment: undefined })).colour).toBeUndefined();
    expect(marks.ofPod(pod('coredns-1', { namespace: 'kube-system' })).colour).toBeUndefined();
  });
});

test('The pods of a StatefulSet have its colour, which differs from that of a Deployment', () => {
  const db = {
    kind: 'StatefulSet',
    resource: 'statefulsets.apps',
    namespace: 'default',
    name: 'db',
  } as const;
  const marks = ownerMarks({ deployments: [web], workloads: [{ ...db, state: 'complete' }] }, undefined);
  const { colour } = marks.ofPod(pod('db-0', { owner: 'StatefulSet db', deployment: undefined }));
  expect(colour).toBe(marks.ofWorkload(db).colour);
  expect(colour).not.toBe(marks.ofDeployment(web).colour);
});

describe('The colours of Deployments', () => {
  const all = names.map((name) => deployment(name, [`${name}-1`]));
  const marks = marksOf(all);

  test('differ while there are enough', () => {
    expect(new Set(marks.colours.values()).size).toBe(OWNER_COLOURS);
  });

  test('stay the same when others come and go', () => {
    const fewer = marksOf(all.slice(3), marks);
    const more = marksOf([deployment('new', ['new-1']), ...all.slice(3)], fewer);
    for (const one of all.slice(3)) expect(more.ofDeployment(one)).toEqual(marks.ofDeployment(one));
  });

  test('are shared evenly when there are too few', () => {
    const many = marksOf(
      Array.from({ length: 2 * OWNER_COLOURS }, (_, index) => deployment(`d-${index}`, ['r'])),
    );
    const counts = Array.from(
      { length: OWNER_COLOURS },
      (_, colour) => [...many.colours.values()].filter((one) => one === colour).length,
    );
    expect(counts).toEqual(counts.map(() => 2));
  });
});
