import { quote } from '../../api/names.ts';
import type { CustomResourceDefinition } from '../../api/objects.ts';

/** The annotation that records the project's approval of an API. */
const ANNOTATION = 'api-approved.kubernetes.io';

const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** The approval state of an API in a group of the project. */
interface Approval {
  readonly state: 'Missing' | 'Bypassed' | 'Approved' | 'Invalid';
  readonly reason: string;
  readonly annotation: string;
}

/**
 * Reports whether the group belongs to the project.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apihelpers/helpers.go IsProtectedCommunityGroup
 */
export const isProtectedGroup = (group: string): boolean => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);

/** Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apihelpers/helpers.go GetAPIApprovalState */
export function approvalOf({ metadata }: CustomResourceDefinition): Approval {
  const annotations = metadata.annotations ?? {};
  const annotation = Object.hasOwn(annotations, ANNOTATION) ? (annotations[ANNOTATION] ?? '') : '';
  const mustHave = `protected groups must have approval annotation ${quote(ANNOTATION)}`;
  if (annotation === '') return { state: 'Missing', reason: `${mustHave}, ${SEE}`, annotation };
  if (annotation.startsWith('unapproved')) {
    return { state: 'Bypassed', reason: `not approved: ${quote(annotation)}`, annotation };
  }
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i.test(annotation) && URL.canParse(annotation)) {
    return { state: 'Approved', reason: `approved in ${annotation}`, annotation };
  }
  const reason = `${mustHave} with either a URL or a reason starting with "unapproved", ${SEE}`;
  return { state: 'Invalid', reason, annotation };
}
