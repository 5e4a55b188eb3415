AT_TIME=$(miloco-cli time-compute --anchor '{"kind":"tomorrow_at","time":"09:00:00"}')
miloco-cli task create --task-id med_tomorrow_9am --description "明天 9 点提醒吃药"

# 调 OpenClaw cron tool 建 at job：name="[med_tomorrow_9am] 吃药提醒"，at=$AT_TIME，message="提醒用户吃药"
# → 拿 jobId
miloco-cli task link --task med_tomorrow_9am --kind cron --ref <jobId>
