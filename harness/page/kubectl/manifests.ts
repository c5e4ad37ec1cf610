import { didYouMean } from '../../cli/did-you-mean.ts';
import { Failure } from '../../cli/failure.ts';
import { type ManifestObject, readManifest } from '../../cli/manifest.ts';
import { documentsOf } from '../../cli/manifest-documents.ts';
import type { ManifestDocument } from '../../contracts/apply/index.ts';
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
  const text = textOf(call, file);
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

/**
 * Returns the documents of a manifest for an apply.
 *
 * @throws KubectlError when the file does not exist, or is not YAML
 */
export function documentsIn(call: Pick<Call, 'io'>, file: string): readonly ManifestDocument[] {
  const text = textOf(call, file);
  try {
    const values = documentsOf(text, file === '-' ? 'the editor' : file);
    return values.map(({ value }) => ({ source: file === '-' ? 'STDIN' : file, value }));
  } catch (error) {
    if (error instanceof Failure) throw new KubectlError(error.message);
    throw error;
  }
}

function textOf({ io }: Pick<Call, 'io'>, file: string): string {
  const text = io.files[file];
  if (text !== undefined) return text;
  const meant = didYouMean(file, Object.keys(io.files));
  throw new KubectlError(`the path "${file}" does not exist. ${meant === '' ? 'The editor is -f -' : meant}`);
}
