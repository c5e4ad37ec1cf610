import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { mapItems } from '../../copy-on-write.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../../validation/field-error.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

/** Prefix of the annotation with a container's profile; the container's name follows. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const LOCALHOST = 'localhost/';

/**
 * Copies AppArmor profiles from legacy annotations to the containers' security contexts.
 *
 * A container's own field stays, and so do the annotations. A profile is not copied if it equals the pod's profile or
 * is invalid. Fields are never copied to annotations: a kubelet that does not know the fields is too old for this
 * apiserver.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew
 *
 * Differs: there are no warnings.
 */
export function withAppArmorFields({ metadata, spec }: Pod): Pod['spec'] {
  const { annotations = {} } = metadata;
  if (spec.os?.name === 'windows' || !Object.keys(annotations).some(isAppArmor)) return spec;
  const podProfile = spec.securityContext?.appArmorProfile;
  const withField = (container: core.Container): core.Container => {
    const annotation = annotations[APP_ARMOR_ANNOTATION + container.name];
    if (annotation === undefined || container.securityContext?.appArmorProfile) return container;
    const profile = profileOf(annotation);
    if (!profile || validateAppArmorProfile(profile, '').length > 0 || semanticEqual(profile, podProfile))
      return container;
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile: profile } };
  };
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: mapItems(containers, withField),
    ...(initContainers && { initContainers: mapItems(initContainers, withField) }),
  };
}

const isAppArmor = (key: string): boolean => key.startsWith(APP_ARMOR_ANNOTATION);

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/pod/util.go ApparmorFieldForAnnotation */
function profileOf(annotation: string): core.AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return localhostProfile ? { type: 'Localhost', localhostProfile } : undefined;
}

/**
 * Returns all violations of a profile. A name refers to a profile on the node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateAppArmorProfileField
 */
export function validateAppArmorProfile(profile: core.AppArmorProfile | undefined, path: string): Cause[] {
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (!type) return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!TYPES.includes(type)) return [notSupported(`${path}.type`, type, TYPES)];
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return [];
    return [invalid(at, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  }
  const causes: Cause[] = [];
  if (localhostProfile !== undefined && localhostProfile !== localhostProfile.trim()) {
    causes.push(invalid(at, localhostProfile, 'must not be padded with whitespace'));
  } else if (!localhostProfile) {
    causes.push(required(at, 'must be set when AppArmor type is Localhost'));
  }
  if (Buffer.byteLength(localhostProfile ?? '') > PROFILE_BYTES_MAX)
    causes.push(tooLong(at, PROFILE_BYTES_MAX));
  return causes;
}

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PROFILE_BYTES_MAX = 4095;

/**
 * Validates AppArmor annotations: the container must exist, and the value has one of three forms.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateAppArmorPodAnnotations
 */
export function validateAppArmorAnnotations(
  annotations: Annotations,
  spec: core.PodSpec,
  path: string,
): Cause[] {
  return Object.entries(annotations ?? {}).flatMap(([key, profile]) => {
    if (!isAppArmor(key)) return [];
    const name = key.slice(APP_ARMOR_ANNOTATION.length);
    const containers = [
      ...(spec.initContainers ?? []),
      ...(spec.containers ?? []),
      ...(spec.ephemeralContainers ?? []),
    ];
    const causes: Cause[] = [];
    if (!containers.some((container) => container.name === name)) {
      causes.push(invalid(`${path}[${key}]`, name, 'container not found'));
    }
    if (!['', 'runtime/default', 'unconfined'].includes(profile) && !profile.startsWith(LOCALHOST)) {
      const detail = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
      causes.push(invalid(`${path}[${key}]`, profile, detail));
    }
    return causes;
  });
}

/**
 * Requires the same profile in the annotation and the field of a container; applies to created pods and to templates.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * validateAppArmorAnnotationsAndFieldsMatchOnCreate
 */
export function validateAppArmorMatches(annotations: Annotations, spec: core.PodSpec, path: string): Cause[] {
  if (spec.os?.name === 'windows') return [];
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ name, securityContext }, i) => {
      const annotation = annotations?.[APP_ARMOR_ANNOTATION + name];
      const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
      if (annotation === undefined || !profile || !TYPES.includes(profile.type)) return [];
      const said = profileOf(annotation);
      const at = `${path}.${list}[${i}].securityContext.appArmorProfile`;
      const isOfType =
        profile.type === 'Localhost' ? annotation.startsWith(LOCALHOST) : said?.type === profile.type;
      if (!isOfType) return [forbidden(`${at}.type`, 'apparmor type in annotation and field must match')];
      if (profile.type !== 'Localhost' || said?.localhostProfile === profile.localhostProfile) return [];
      return [forbidden(`${at}.localhostProfile`, 'apparmor profile in annotation and field must match')];
    }),
  );
}
