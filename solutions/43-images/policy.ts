/** Level 2 · When to pull. */
import type { PullPolicy } from '#given/43-images';
import type { ImageRequest } from '#harness';
import { parseImageName } from './reference.ts';

export function pullPolicyOf({ image = '', imagePullPolicy }: ImageRequest['container']): PullPolicy {
  if (imagePullPolicy) return imagePullPolicy as PullPolicy;
  return parseImageName(image).tag === 'latest' ? 'Always' : 'IfNotPresent';
}

export function whatToDo(
  policy: PullPolicy,
  { usable }: { readonly usable: boolean },
): 'pull' | 'use' | 'refuse' {
  if (policy === 'Always') return 'pull';
  if (usable) return 'use';
  return policy === 'Never' ? 'refuse' : 'pull';
}
