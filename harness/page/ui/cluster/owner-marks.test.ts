import { describe, expect, test } from 'vitest';
import { OWNER_COLOURS, ownerMarks } from './owner-marks.ts';
import { deployment, pod } from './views.fixture.ts';

describe('The colour of a pod', () => {
  const marks = ownerMarks([deployment('web', ['web-7d4b9c', 'web-66f'])]);

  test('is the colour of its Deployment', () => {
    const { colour } = marks.ofPod(pod('web-1'));
    expect(colour).toBe(marks.ofDeployment('default', 'web').colour);
    expect(colour).toBeLessThan(OWNER_COLOURS);
  });

  test('is hollow for a pod of an old ReplicaSet', () => {
    expect(marks.ofPod(pod('web-1')).isOld).toBe(false);
    expect(marks.ofPod(pod('web-2', { owner: 'ReplicaSet web-66f' })).isOld).toBe(true);
  });

  test('stays the same when other Deployments come and go', () => {
    const more = ownerMarks([deployment('api', ['api-1']), deployment('web', ['web-7d4b9c'])]);
    expect(more.ofPod(pod('web-1'))).toEqual(marks.ofPod(pod('web-1')));
  });

  test('is absent for a pod without an owner', () => {
    expect(marks.ofPod(pod('curl', { owner: undefined, deployment: undefined })).colour).toBeUndefined();
  });
});
