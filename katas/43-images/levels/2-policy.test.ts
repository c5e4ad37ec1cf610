import { describe, expect, test } from 'vitest';
import { pullPolicyOf, whatToDo } from '#kata/43-images/images';
import { DIGEST } from './images.fixture.ts';

describe('Level 2 · When to pull', () => {
  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['registry:5000/app', 'Always'],
    [`nginx@${DIGEST}`, 'IfNotPresent'],
    [`nginx:latest@${DIGEST}`, 'Always'],
  ])('the default policy of %s is %s', (image, policy) => {
    expect(
      pullPolicyOf({ name: 'web', image }),
      `the policy of the image ${image}: Always if the tag is latest, or tag and digest are both missing`,
    ).toBe(policy);
  });

  test.each(['Always', 'IfNotPresent', 'Never'] as const)('keeps the policy %s', (imagePullPolicy) => {
    expect(
      pullPolicyOf({ name: 'web', image: 'nginx', imagePullPolicy }),
      `the policy of a container with the image nginx and the policy ${imagePullPolicy}`,
    ).toBe(imagePullPolicy);
    expect(
      pullPolicyOf({ name: 'web', image: 'nginx:1', imagePullPolicy }),
      `the policy of a container with the image nginx:1 and the policy ${imagePullPolicy}`,
    ).toBe(imagePullPolicy);
  });

  test.each([
    ['Always', true, 'pull'],
    ['Always', false, 'pull'],
    ['IfNotPresent', true, 'use'],
    ['IfNotPresent', false, 'pull'],
    ['Never', true, 'use'],
    ['Never', false, 'refuse'],
  ] as const)('policy %s, usable image %s: %s', (policy, usable, wanted) => {
    expect(
      whatToDo(policy, { usable }),
      `whatToDo with the policy ${policy}, for an image that is ${usable ? '' : 'not '}usable`,
    ).toBe(wanted);
  });
});
