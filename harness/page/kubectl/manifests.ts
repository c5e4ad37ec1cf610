import { didYouMean } from '../../cli/did-you-mean.ts';
import { Failure } from '../../cli/failure.ts';
import { type ManifestObject, readManifest } from '../../cli/manifest.ts';
import type { Call } from './command.ts';
import { KubectlError } from './kubectl-error.ts';

/**
 * Returns the objects of a manifest: of the editor with `-`, else of the file with this name.
 *
 * @throws KubectlError when the file does not exist, or is not a manifest
 */
export function manifestOf(
  call: Pick<Call, 'io' | 'namespace' | 'kinds' | 'flags'>,
  file: string,
): readonly ManifestObject[] {
  const text = call.io.files[file];
  if (text === undefined) {
    const meant = didYouMean(file, Object.keys(call.io.files));
    throw new KubectlError(
      `the path "${file}" does not exist. ${meant === '' ? 'The editor is -f -' : meant}`,
    );
  }
  try {
    const objects = readManifest(new TextEncoder().encode(text), file === '-' ? 'the editor' : file, {
      namespace: call.namespace,
      known: call.kinds.all,
    });
    const wanted = call.flags.text('namespace');
    const other =
      wanted === undefined ? undefined : objects.find(({ key }) => (key.namespace ?? wanted) !== wanted);
    if (!other) return objects;
    throw new KubectlError(
      `the namespace from the provided object "${other.key.namespace}" does not match the namespace "${wanted}". You must pass '--namespace=${other.key.namespace}' to perform this operation.`,
    );
  } catch (error) {
    if (error instanceof Failure) throw new KubectlError(error.message);
    throw error;
  }
}
