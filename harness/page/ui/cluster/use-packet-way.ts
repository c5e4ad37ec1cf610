import { useEffect, useState } from 'preact/hooks';
import type { Subject } from '../../protocol/details.ts';
import { usePage, useRun } from '../page-context.ts';
import { type PacketWay, packetWayOf } from './packet-way.ts';

/** Returns the way of the packet in the panel; undefined for other subjects, and before the packet is sent. */
export function usePacketWay(subject: Subject | undefined): PacketWay | undefined {
  const { service, report } = usePage();
  const [found, setFound] = useState<{ readonly way: PacketWay; readonly atMs: number }>();
  const id = subject?.kind === 'message' ? subject.id : undefined;
  useEffect(() => {
    setFound(undefined);
    if (id === undefined) return;
    let isLate = false;
    service.inspect({ kind: 'message', id }).then((details) => {
      if (isLate || details?.kind !== 'message' || !details.hops) return;
      setFound({ way: packetWayOf(details.hops, details.fate), atMs: details.atMs });
    }, report);
    return () => {
      isLate = true;
    };
  }, [service, report, id]);
  const isSent = useRun(({ nowMs }) => found !== undefined && nowMs >= found.atMs);
  return isSent ? found?.way : undefined;
}
