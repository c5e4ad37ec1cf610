// One file per level, in teaching order.
import './levels/1-answers.test.ts';
import './levels/2-where.test.ts';
import './levels/3-one-probe.test.ts';
import './levels/4-counting.test.ts';
import './levels/5-looking.test.ts';
import './levels/6-waiting.test.ts';
import './levels/7-results.test.ts';
import './levels/8-in-time.test.ts';
import './levels/9-manager.test.ts';
import './levels/10-ready.test.ts';
import './levels/11-grpc.test.ts';
import './levels/12-redirects.test.ts';
import './levels/13-restart.test.ts';
