// One file a level, in teaching order.
import './levels/1-phase.test.ts';
import './levels/2-conditions.test.ts';
import './levels/3-init.test.ts';
import './levels/4-actions.test.ts';
import './levels/5-backoff.test.ts';
import './levels/6-carry-out.test.ts';
import './levels/7-stop.test.ts';
import './levels/7-kill.test.ts';
import './levels/8-restart.test.ts';
import './levels/9-sidecars.test.ts';
import './levels/9-termination.test.ts';
import './levels/10-ephemeral.test.ts';
import './levels/11-node.test.ts';
import './levels/12-eviction.test.ts';
import './levels/12-eviction-manager.test.ts';
import './levels/13-static-pods.test.ts';
