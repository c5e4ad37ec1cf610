import type { New, SelfSubjectReview } from '../../../api/objects.ts';
import { selfSubjectReviews } from '../../../api/plain-resources.ts';
import type { Command } from '../command.ts';
import { PRINTING, printerOf } from '../print/output.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/auth/whoami.go WhoAmIOptions.Run */
export const whoAmI: Command = {
  name: 'auth whoami',
  usage: '[-o FORMAT] [--as=USER]',
  summary: 'Prints who you are, as the apiserver sees you',
  reads: true,
  flags: PRINTING,
  run: async (call) => {
    const review = (await call.client.create(selfSubjectReviews, {
      metadata: {},
    } as New<SelfSubjectReview>)) as SelfSubjectReview;
    const printer = printerOf(call);
    if (printer) return call.io.out(printer([{ resource: selfSubjectReviews, object: review }], false));
    const { username, uid, groups = [], extra = {} } = review.status.userInfo ?? {};
    const rows = [
      ['ATTRIBUTE', 'VALUE'],
      ...(username ? [['Username', username]] : []),
      ...(uid ? [['UID', uid]] : []),
      ...(groups.length > 0 ? [['Groups', `[${groups.join(' ')}]`]] : []),
      ...Object.keys(extra)
        .sort()
        .map((key) => [`Extra: ${key}`, `[${(extra[key] ?? []).join(' ')}]`]),
    ];
    call.io.out(new TabWriter(TABLE_TABS).align(rows.map((row) => `${row.join('\t')}\n`).join('')));
  },
};
