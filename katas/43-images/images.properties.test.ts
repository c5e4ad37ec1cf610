import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { holds, remembering } from '#harness/testing';
import { newImageManager } from '#kata/43-images/images';
import {
  clusterOfImages,
  type ImagesScenario,
  imagesLaws,
  parallelWorkloads,
  runImages,
  tenantWorkloads,
  workloads,
} from '#laws/43-images';

/** All laws are read off the same lives; each is lived once. They ask for an image manager, and not for a shape. */
const live = remembering((scenario: ImagesScenario) => runImages(newImageManager, scenario));

describe('The laws of pulling', () => {
  test('Obeys: a pull only where the policy wants one, and no image without one where it does', () =>
    holds(imagesLaws.obeys, workloads, live));

  test('Says why: each refusal has the reason and the message that belong to what went wrong', () =>
    holds(imagesLaws.saysWhy, workloads, live));

  test('Tells: the events about a container say what came of its image', () =>
    holds(imagesLaws.tells, workloads, live));

  test('Tries each: the credentials of the pod, then those of the node, until one can pull', () =>
    holds(imagesLaws.triesEach, workloads, live));

  test('Backs off: after each failure a pod waits twice as long, and no pod for the failure of another', () =>
    holds(imagesLaws.backsOff, workloads, live));

  test('One at a time: never are two pulls under way', () => holds(imagesLaws.oneAtATime, workloads, live));

  test('Independent: what needs no pull waits for no pull, and a deleted pod waits for nothing', () =>
    holds(imagesLaws.independent, workloads, live));

  test('Goes on: whatever became of the pull before, the next one begins', () =>
    holds(imagesLaws.goesOn, workloads, live));

  test('Throttled: pulls come no faster than they may', () => holds(imagesLaws.throttled, workloads, live));

  test('Quiet: nothing is pulled, removed or written unless it is asked for', () =>
    holds(imagesLaws.quiet, workloads, live));
});

describe('The laws of garbage collection', () => {
  test('Spares the used: what a container was made from stays, and what is pinned', () =>
    holds(imagesLaws.sparesUsed, workloads, live));

  test('Spares the young: what this kubelet has not known for long enough stays', () =>
    holds(imagesLaws.sparesYoung, workloads, live));

  test('Removes no more: images go only when the disk is too full, and no more of them than it takes', () =>
    holds(imagesLaws.removesNoMore, workloads, live));

  test('Longest unused first: of two that may go, the one goes first that was used before the other', () =>
    holds(imagesLaws.longestUnusedFirst, workloads, live));

  test('Frees enough: a collection frees what it has to, or says that it could not', () =>
    holds(imagesLaws.freesEnough, workloads, live));
});

describe('★ The laws of tenants (Level 9)', () => {
  test('Verifies: no pod gets a private image that is there, unless it could have pulled it', () =>
    holds(imagesLaws.verifies, tenantWorkloads, live));

  test('Trusts: what is there and what a pod may use is not pulled again', () =>
    holds(imagesLaws.trusts, tenantWorkloads, live));
});

describe('★ The laws of parallel pulls (Level 10)', () => {
  test('Within the limit: never are more pulls under way than there may be', () =>
    holds(imagesLaws.withinLimit, parallelWorkloads, live));

  test('Uses the limit: as many pulls are under way as there may be, if so many are wanted', () =>
    holds(imagesLaws.usesLimit, parallelWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: pods get the images of public and private registries, through errors and crashes, and say why they do not', async () => {
    await using cluster = await clusterOfImages(components, newImageManager);
    const process = 'kubelet-node-1';
    cluster.nemesis.schedule([
      { atMs: 0, fault: 'fail-call', process, port: 'cri', verb: 'pullImage', performed: false },
      { atMs: 2_000, fault: 'fail-call', process, port: 'cri', verb: 'imageStatus', performed: false },
      { atMs: 20_000, fault: 'crash', process, skip: 3, performed: true, restartAfterMs: 2_000 },
    ]);
    await cluster.ask('web', 'nginx:1.27');
    await cluster.ask('also', 'docker.io/library/nginx:1.27');
    await cluster.ask('app', 'registry.example.com/team/app:1', 'team');
    await cluster.ask('nowhere', 'nginx:none');
    await cluster.ask('nonsense', 'Nginx');
    await cluster.runFor(120_000);
    expect(
      ['web', 'also', 'app'].map(cluster.sees),
      'the states of web, also and app, whose images can be pulled',
    ).toEqual(['Running', 'Running', 'Running']);
    expect(cluster.sees('nonsense')).toContain('InvalidImageName: Failed to apply default image tag "Nginx"');
    expect(cluster.sees('nowhere')).toMatch(
      /^(ErrImagePull|ImagePullBackOff): .*library\/nginx:none: not found$/,
    );
    const pulled = cluster.machine('node-1')?.history.filter(({ event }) => event === 'image-pulled');
    expect(
      [...new Set(pulled?.map(({ image }) => image))].sort(),
      'images that were pulled, by their full names',
    ).toEqual(['docker.io/library/nginx:1.27', 'registry.example.com/team/app:1']);
  });
});

describe('★ In a cluster', () => {
  test('Private: a pod without the secret does not get the private image that another has pulled', async () => {
    await using cluster = await clusterOfImages(components, newImageManager);
    await cluster.ask('app', 'registry.example.com/team/app:1', 'team');
    await cluster.runFor(30_000);
    await cluster.ask('outsider', 'registry.example.com/team/app:1');
    await cluster.ask('colleague', 'registry.example.com/team/app:1', 'team');
    await cluster.runFor(30_000);
    expect(
      [cluster.sees('app'), cluster.sees('colleague')],
      'the states of app and colleague, which have the secret',
    ).toEqual(['Running', 'Running']);
    expect(
      cluster.sees('outsider'),
      'the state of outsider, which has no secret for the private image that is present',
    ).toContain('authorization failed');
  });
});
