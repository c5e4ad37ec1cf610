import { keyOf } from '../../../api/objects.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll, type Target } from '../targets.ts';
import { report, WRITING, writeOptions } from './report.ts';

/** Labels or annotations, with their words. */
interface Words {
  readonly name: 'label' | 'annotate';
  readonly field: 'labels' | 'annotations';
  readonly changed: string;
  /** The words for a change that only removes, that does both, and for none. */
  readonly removed: string;
  readonly both: string;
  readonly none: string;
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/label/label.go LabelOptions.RunLabel */
export const label: Command = marking({
  name: 'label',
  field: 'labels',
  changed: 'labeled',
  removed: 'unlabeled',
  both: 'modified',
  none: 'not labeled',
});

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/annotate/annotate.go AnnotateOptions.RunAnnotate */
export const annotate: Command = marking({
  name: 'annotate',
  field: 'annotations',
  changed: 'annotated',
  removed: 'annotated',
  both: 'annotated',
  none: 'annotated',
});

function marking(words: Words): Command {
  return {
    name: words.name,
    usage: '(TYPE NAME | TYPE/NAME | -f FILE) KEY=VALUE… KEY-… [--overwrite]',
    summary: `Sets and removes ${words.field}`,
    reads: false,
    flags: {
      ...SELECTING,
      ...WRITING,
      overwrite: { type: 'switch', help: 'replace values' },
      all: { type: 'switch', help: 'all objects of the kind in the namespace' },
    },
    run: async (call) => {
      const isChange = (arg: string): boolean => arg.includes('=') || arg.endsWith('-');
      const first = call.args.findIndex(isChange);
      const args = first < 0 ? call.args : call.args.slice(0, first);
      const changes = first < 0 ? [] : call.args.slice(first);
      if (args.length === 0 && !call.flags.has('filename')) {
        throw new KubectlError(
          'one or more resources must be specified as <resource> <name> or <resource>/<name>',
        );
      }
      if (changes.length === 0)
        throw new KubectlError(`at least one ${words.field.slice(0, -1)} update is required`);
      const wrong = changes.find((change) => !isChange(change));
      if (wrong !== undefined) throw new KubectlError(`unknown label spec: ${wrong}`);
      for (const target of await selectAll(call, { args })) await mark(call, target, changes, words);
    },
  };
}

async function mark(
  call: Call,
  { resource, object }: Target,
  changes: readonly string[],
  words: Words,
): Promise<void> {
  const current = object.metadata[words.field] ?? {};
  const patch: Record<string, string | null> = {};
  for (const change of changes) {
    if (!change.includes('=')) {
      const key = change.slice(0, -1);
      if (current[key] === undefined) {
        if (words.name === 'label') call.io.out(`label "${key}" not found.\n`);
      } else patch[key] = null;
      continue;
    }
    const at = change.indexOf('=');
    const [key, value] = [change.slice(0, at), change.slice(at + 1)];
    const before = current[key];
    if (before !== undefined && before !== value && !call.flags.isOn('overwrite')) {
      throw new KubectlError(`'${key}' already has a value (${before}), and --overwrite is false`);
    }
    if (before !== value) patch[key] = value;
  }
  const values = Object.values(patch);
  const [adds, removes] = [values.some((value) => value !== null), values.includes(null)];
  const verb = adds && removes ? words.both : adds ? words.changed : removes ? words.removed : words.none;
  const stored =
    values.length === 0
      ? object
      : await call.client.patch(
          resource,
          keyOf(object),
          { type: 'merge', body: { metadata: { [words.field]: patch } } },
          writeOptions(call, words.name),
        );
  report(call, resource, stored, verb);
}
