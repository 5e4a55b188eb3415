miloco-cli task create --task-id sit_30min --description "久坐 30 分钟提醒"
miloco-cli rule create --task-id sit_30min \
  --name "[sit_30min] 久坐 30 分钟提醒" \
  --mode event \
  --condition "用户臀部接触沙发/座椅，腰背靠近椅背或半弯曲，保持坐姿；不含蹲在地面双膝弯曲但臀部未接触座面，不含半靠扶手/桌沿臀部悬空的站姿，不含跪地或跪坐臀部触脚跟未接触座面" \
  --duration-seconds 1800 \
  --action-desc "使用手机推送通知：已久坐 30 分钟，建议起身活动"
