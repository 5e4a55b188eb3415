miloco-cli task create --task-id living_room_off --description "客厅没人关灯"
miloco-cli rule create --task-id living_room_off \
  --name "[living_room_off] 客厅无人关灯" \
  --mode event \
  --condition "画面中无人" \
  --source <客厅摄像头 DID> \
  --duration-seconds 300 \
  --action '{"did":"<客厅灯 DID>","iid":"prop.on","value":false,"idempotent":true}'
