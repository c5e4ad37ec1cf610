import { LAST_APPLIED } from '../../../given/11-apply/words.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { yamlOf } from '../print/yaml.ts';
import { SELECTING, selectAll } from '../targets.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply_view_last_applied.go ViewLastAppliedOptions */
export const viewLastApplied: Command = {
  name: 'apply view-last-applied',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE)',
  summary: 'Prints the manifest that was applied last',
  reads: true,
  flags: {
    ...SELECTING,
    output: { short: 'o', type: 'text', help: 'yaml or json' },
    all: { type: 'switch', help: 'all objects of the kind in the namespace' },
  },
  run: async (call) => {
    const format = call.flags.text('output') ?? 'yaml';
    if (format !== 'yaml' && format !== 'json') {
      throw new KubectlError(
        `Unexpected -o output mode: ${format}, the flag 'output' must be one of yaml|json\nSee 'view-last-applied -h' for help and examples`,
      );
    }
    const texts = (await selectAll(call)).map(({ object }) => {
      const text = object.metadata.annotations?.[LAST_APPLIED];
      if (text !== undefined) return text;
      throw new KubectlError(
        `no last-applied-configuration annotation found on resource: ${object.metadata.name}`,
      );
    });
    for (const text of texts) {
      call.io.out(
        format === 'yaml' ? yamlOf(JSON.parse(text)) : `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
      );
    }
  },
};
