import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { pod as kind } from '../pod.ts';
import { APP_ARMOR_ANNOTATION } from './app-armor.ts';
import { container, lines, storedPod } from './pod.fixture.ts';

const KEY = `${APP_ARMOR_ANNOTATION}app`;

function annotated(profile: string | undefined, spec: Partial<core.PodSpec> = {}): Pod {
  const stored = storedPod(spec);
  if (profile === undefined) return stored;
  return { ...stored, metadata: { ...stored.metadata, annotations: { [KEY]: profile } } };
}

/** Returns the profile of the container of a created pod. */
const profileOf = (profile: string | undefined, spec: Partial<core.PodSpec> = {}) =>
  kind.prepareForCreate(annotated(profile, spec)).spec.containers[0]?.securityContext?.appArmorProfile;

describe('AppArmor', () => {
  test.each([
    ['runtime/default', { type: 'RuntimeDefault' }],
    ['unconfined', { type: 'Unconfined' }],
    ['localhost/mine', { type: 'Localhost', localhostProfile: 'mine' }],
    ['localhost/', undefined],
    ['localhost/ padded', undefined],
    ['nonsense', undefined],
  ])('copies the annotation %s to the field', (profile, field) => {
    expect(profileOf(profile)).toEqual(field);
  });

  test("leaves a container's own field and the profile of the pod", () => {
    const appArmorProfile = { type: 'Unconfined' };
    const own = { containers: [container({ securityContext: { appArmorProfile } })] };
    expect(profileOf('runtime/default', own)).toEqual(appArmorProfile);
    expect(profileOf('unconfined', { securityContext: { appArmorProfile } })).toBeUndefined();
  });

  test('never copies a field to an annotation', () => {
    const securityContext = { appArmorProfile: { type: 'RuntimeDefault' } };
    const created = kind.prepareForCreate(annotated(undefined, { securityContext }));
    expect(created.metadata.annotations).toBeUndefined();
  });

  test('requires the same profile in the annotation and the field', () => {
    const check = (profile: string, type: string, localhostProfile?: string) => {
      const appArmorProfile = { type, ...(localhostProfile ? { localhostProfile } : {}) };
      return lines(kind.validate(annotated(profile, { securityContext: { appArmorProfile } })));
    };
    const at = 'spec.containers[0].securityContext.appArmorProfile';
    expect(check('localhost/a', 'Localhost', 'a')).toEqual([]);
    expect(check('unconfined', 'RuntimeDefault')).toEqual([
      `${at}.type: Forbidden: apparmor type in annotation and field must match`,
    ]);
    expect(check('localhost/a', 'Localhost', 'b')).toEqual([
      `${at}.localhostProfile: Forbidden: apparmor profile in annotation and field must match`,
    ]);
  });

  test('has one of three types, and a name if the type needs it', () => {
    const check = (appArmorProfile: core.AppArmorProfile) =>
      lines(kind.validate(storedPod({ securityContext: { appArmorProfile } })));
    const at = 'spec.securityContext.appArmorProfile';
    expect(check({ type: '' })).toEqual([
      `${at}.type: Required value: type is required when appArmorProfile is set`,
    ]);
    expect(check({ type: 'Mine' })).toEqual([
      `${at}.type: Unsupported value: "Mine": supported values: "Localhost", "RuntimeDefault", "Unconfined"`,
    ]);
    expect(check({ type: 'Localhost' })).toEqual([
      `${at}.localhostProfile: Required value: must be set when AppArmor type is Localhost`,
    ]);
    expect(check({ type: 'Unconfined', localhostProfile: 'a' })).toEqual([
      `${at}.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost`,
    ]);
    expect(check({ type: 'Localhost', localhostProfile: ' a' })).toEqual([
      `${at}.localhostProfile: Invalid value: " a": must not be padded with whitespace`,
    ]);
    expect(check({ type: 'Localhost', localhostProfile: 'a'.repeat(4096) })).toEqual([
      `${at}.localhostProfile: Too long: may not be more than 4095 bytes`,
    ]);
  });

  test('annotates existing containers, and never changes', () => {
    const other = storedPod();
    const annotations = { [`${APP_ARMOR_ANNOTATION}other`]: 'mine' };
    const path = `metadata.annotations[${APP_ARMOR_ANNOTATION}other]`;
    expect(lines(kind.validate({ ...other, metadata: { ...other.metadata, annotations } }))).toEqual([
      `${path}: Invalid value: "other": container not found`,
      `${path}: Invalid value: "mine": invalid AppArmor profile name: "mine"`,
    ]);
    const refused = (change: string) => [
      `metadata.annotations[${KEY}]: Forbidden: may not ${change} AppArmor annotations`,
    ];
    const [plain, set] = [storedPod(), annotated('unconfined')];
    expect(lines(kind.validateUpdate(set, plain))).toEqual(refused('add'));
    expect(lines(kind.validateUpdate(plain, set))).toEqual(refused('remove or update'));
    expect(lines(kind.validateUpdate(set, set))).toEqual([]);
  });
});
