// One file a level, in teaching order.
import './levels/1-bridge.test.ts';
import './levels/2-pair.test.ts';
import './levels/3-addresses.test.ts';
import './levels/4-add-del.test.ts';
import './levels/5-outside.test.ts';
import './levels/6-check-gc.test.ts';
import './levels/7-routes.test.ts';
import './levels/8-agent.test.ts';
