import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../api/freeze.ts';
import { container, lines } from './pod/pod.fixture.ts';
import { setPodTemplateDefaults, validatePodTemplateSpec } from './pod-template.ts';

const check = (template: Parameters<typeof setPodTemplateDefaults>[0]) =>
  lines(validatePodTemplateSpec(setPodTemplateDefaults(deepFreeze(template)), 'spec.template'));

describe('pod template', () => {
  test('is valid with one container', () => {
    expect(check({ spec: { containers: [container()] } })).toEqual([]);
  });

  test('requires containers', () => {
    expect(check({})).toEqual(['spec.template.spec.containers: Required value']);
  });

  test('has template defaults, not the defaults of a pod', () => {
    const resources = { limits: { cpu: '1' } };
    const containers = [container({ resources, ports: [{ containerPort: 80 }] })];
    const { spec } = setPodTemplateDefaults(deepFreeze({ spec: { containers, hostNetwork: true } }));
    expect(spec).not.toHaveProperty('enableServiceLinks');
    expect(spec?.containers[0]?.resources).toEqual(resources);
    expect(spec?.containers[0]?.ports).toEqual([{ containerPort: 80, protocol: 'TCP' }]);
  });

  test('does not change when defaults are set twice', () => {
    const once = setPodTemplateDefaults(deepFreeze({ spec: { containers: [container()] } }));
    expect(setPodTemplateDefaults(once)).toBe(once);
  });

  test('validates labels as a pod does', () => {
    expect(check({ metadata: { labels: { app: '-' } }, spec: { containers: [container()] } })).toEqual([
      expect.stringMatching(/^spec\.template\.labels: Invalid value: "-": a valid label must/),
    ]);
  });

  test('rejects ephemeral containers', () => {
    const ephemeralContainers = [container({ name: 'debug' })];
    expect(check({ spec: { containers: [container()], ephemeralContainers } })).toEqual([
      'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
    ]);
  });

  test('can pad an image with blanks, unlike a pod', () => {
    expect(check({ spec: { containers: [container({ image: ' ' })] } })).toEqual([]);
  });
});
